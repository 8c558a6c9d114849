/*
 * embed.S - the compiled device code, as bytes of the program
 *
 * The assembler finds the files in the directory that it is given with -I.
 * The section's name is the one in which NVIDIA's cuobjdump looks for it.
 */
	.section .nv_fatbin, "a", %progbits
	.macro image name
	.balign 8
	.global tsl_cuda_image_\name
	.hidden tsl_cuda_image_\name
tsl_cuda_image_\name:
	.incbin "\name\().fatbin"
	.endm

	image slice
	image gather
	image transpose
	image set_diag

	.section .note.GNU-stack, "", %progbits
