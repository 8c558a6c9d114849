/*
 * tslice.h - the public part of the library, in the order of the road that a
 * slice takes: text -> items -> encoding -> selection -> view -> job
 */
#ifndef TSL_TSLICE_H
#define TSL_TSLICE_H

#include "array.h"
#include "encode.h"
#include "job.h"
#include "op_slice.h"
#include "parse.h"
#include "resolve.h"
#include "shape.h"
#include "status.h"
#include "view.h"

#endif /* TSL_TSLICE_H */
