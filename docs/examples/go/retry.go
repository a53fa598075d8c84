package main

import (
	"context"
	"math/rand"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	firstWait   = 100 * time.Millisecond
	longestWait = 2 * time.Second
)

// waits are the times between tries: doubling, capped, and never the same for all clients.
type waits struct{ last time.Duration }

func (w *waits) reset() { w.last = 0 }

// fresh: nothing has failed yet, so it is worth a line. What follows is the same again.
func (w *waits) fresh() bool { return w.last == 0 }

func (w *waits) wait(ctx context.Context) {
	w.last *= 2
	if w.last == 0 {
		w.last = firstWait
	} else if w.last > longestWait {
		w.last = longestWait
	}
	sleep(ctx, w.last/2+time.Duration(rand.Int63n(int64(w.last/2))))
}

func sleep(ctx context.Context, duration time.Duration) {
	select {
	case <-time.After(duration):
	case <-ctx.Done():
	}
}

// hopeless: the same call would be refused the same way again. It is a mistake of ours, or not
// allowed to us.
func hopeless(err error) bool {
	switch status.Code(err) {
	case codes.InvalidArgument, codes.PermissionDenied, codes.Unauthenticated, codes.Unimplemented:
		return true
	}
	return false
}

// describe is for people: what is wrong with each field, where the reader says it.
func describe(err error) string {
	failure, ok := status.FromError(err)
	if !ok {
		return err.Error()
	}
	var lines []string
	for _, detail := range failure.Details() {
		if bad, ok := detail.(*errdetails.BadRequest); ok {
			for _, violation := range bad.FieldViolations {
				lines = append(lines, "\n  "+violation.Field+": "+violation.Description)
			}
		}
	}
	if len(lines) > 0 {
		return failure.Code().String() + strings.Join(lines, "")
	}
	return failure.Code().String() + ": " + failure.Message()
}
