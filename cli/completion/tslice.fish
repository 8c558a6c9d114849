# fish completion for @COMMANDS@
#
# The options, and the words that they take, are those that a command lists.

function __tslice_arrays
    set -l word (commandline -ct)
    __fish_complete_suffix .npy
    __fish_complete_suffix .npz
    if string match -q '*:*' -- $word
        set -l file (string replace -r ':.*' '' -- $word)
        tshape -H -- $file 2>/dev/null | string replace -r ': \(.*' ''
    end
end

# A list is typed, but a file behind '@' can be completed.
function __tslice_file_at
    set -l word (commandline -ct)
    if string match -q '@*' -- $word
        __fish_complete_path (string sub -s 2 -- $word) | string replace -r '^' '@'
    end
end

function __tslice_load -a command
    complete -c $command -f -a '(__tslice_arrays)'
    $command --list-options 2>/dev/null | while read -d \t -l kind letter name value words help
        if test $kind = word
            complete -c $command -a $letter
            continue
        end
        set -l how -l $name -d $help
        test $letter != - && set -a how -s $letter
        switch $value
            case - '[*'
            case FILE
                set -a how -r -F
            case '*@FILE'
                set -a how -x -a '(__tslice_file_at)'
            case '*'
                set -a how -x
        end
        test $words != - && set -a how -a $words
        complete -c $command $how
    end
end

for command in @COMMANDS@
    command -q $command && __tslice_load $command
end
