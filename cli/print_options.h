/*
 * print_options.h - NumPy's defaults of numpy.set_printoptions()
 */
#ifndef CLI_PRINT_OPTIONS_H
#define CLI_PRINT_OPTIONS_H

#define PRINT_LINE_WIDTH 75
#define PRINT_THRESHOLD 1000 /* elements; of more only the edges are shown */
#define PRINT_EDGE_ITEMS 3
#define PRINT_PRECISION 8

#endif /* CLI_PRINT_OPTIONS_H */
