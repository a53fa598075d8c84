package main

import (
	"context"
	"log"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	radiov1 "example.com/oem-client/radiov1"
)

// How long the reader keeps control for us if we vanish.
const leaseTime = 10 * time.Second

// controller is a client that has control, or wants it.
type controller struct {
	radio       radiov1.RadioClient
	leaseID     string
	inventoryID string // of the inventory that we started
	ready       bool   // the reader reads
}

// keepControl holds the lease, has the reader read, and writes the EPC, once. At the end it leaves
// the reader as it found it.
func keepControl(
	ctx context.Context, radio radiov1.RadioClient, write epcChange, listening <-chan struct{},
) {
	select {
	case <-listening: // so that no read is missed
	case <-ctx.Done():
		return
	}
	c := controller{radio: radio}
	var waits waits
	for ctx.Err() == nil {
		if err := c.renew(ctx); err != nil {
			if ctx.Err() != nil {
				break
			}
			if waits.fresh() {
				log.Printf("control: %s", describe(err))
			}
			if hopeless(err) {
				break
			}
			waits.wait(ctx)
			continue
		}
		waits.reset()
		if write.from != nil {
			writeEPC(ctx, radio, c.leaseID, write)
			write = epcChange{} // once: after an error nobody knows what is written
		}
		sleep(ctx, leaseTime/3)
	}
	if c.leaseID != "" {
		c.leave()
	}
}

// renew keeps control, or takes it, and starts an inventory if none runs.
func (c *controller) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if c.leaseID != "" {
		_, err := c.radio.RenewControl(ctx, &radiov1.RenewControlRequest{LeaseId: c.leaseID})
		// The reader was restarted, or somebody took control.
		if status.Code(err) == codes.FailedPrecondition {
			c.leaseID, c.ready = "", false
		} else if err != nil {
			return err
		}
	}
	if c.leaseID == "" {
		lease, err := c.radio.AcquireControl(ctx, &radiov1.AcquireControlRequest{
			Owner: name, TtlMs: uint32(leaseTime.Milliseconds()),
		})
		if err != nil {
			return err
		}
		c.leaseID = lease.LeaseId
		log.Print("control: ours")
	}
	if c.ready {
		return nil
	}
	if err := c.startIfIdle(ctx); err != nil {
		return err
	}
	c.ready = true
	return nil
}

// startIfIdle starts every antenna with its defaults.
func (c *controller) startIfIdle(ctx context.Context) error {
	state, err := c.radio.GetStatus(ctx, &radiov1.GetStatusRequest{})
	if err != nil || state.State == radiov1.RadioState_RADIO_STATE_READING {
		return err
	}
	started, err := c.radio.StartInventory(ctx, &radiov1.StartInventoryRequest{
		Plan: &radiov1.InventoryPlan{
			// Each tag once a second and antenna, however often it is read.
			ReportFilter: &radiov1.ReportFilter{
				Kind:     radiov1.ReportFilter_INTERVAL,
				Scope:    radiov1.ReportFilter_PER_ANTENNA,
				PeriodMs: 1000,
			},
		},
		Owner:   name,
		LeaseId: c.leaseID,
	})
	if err != nil {
		return err
	}
	c.inventoryID = started.InventoryId
	log.Print("control: inventory started")
	return nil
}

// leave stops what we started, and lets others have control.
func (c *controller) leave() {
	// The context of the program is done already.
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	if c.inventoryID != "" {
		if _, err := c.radio.StopInventory(ctx, &radiov1.StopInventoryRequest{
			InventoryId: c.inventoryID, LeaseId: c.leaseID,
		}); err != nil {
			log.Printf("control: %s", describe(err))
		}
	}
	if _, err := c.radio.ReleaseControl(ctx, &radiov1.ReleaseControlRequest{
		LeaseId: c.leaseID,
	}); err != nil {
		log.Printf("control: %s", describe(err))
		return
	}
	log.Print("control: given back")
}
