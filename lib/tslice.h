/*
 * tslice.h - the public part of the library, in the order of the road that a
 * slice takes: text -> items -> encoding -> selection -> view -> job
 */
#ifndef TSL_TSLICE_H
#define TSL_TSLICE_H

#include "lib/base/array.h"
#include "lib/base/shape.h"
#include "lib/base/status.h"
#include "lib/op/job.h"
#include "lib/op/slice.h"
#include "lib/spec/encode.h"
#include "lib/spec/parse.h"
#include "lib/spec/resolve.h"
#include "lib/view/view.h"

#endif /* TSL_TSLICE_H */
