package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrDamaged is wrapped by errors about files that differ from what was written.
var ErrDamaged = errors.New("damaged file")

// Damage describes something that is wrong with a run under construction.
type Damage struct {
	Stage string // stage that wrote the file; "" for the state of the run itself
	Err   error  // names the file; wraps ErrDamaged
}

// Verify compares the files of finished stages, and the tables that parts of the unfinished stage have written, with
// what was recorded about them. If a file is damaged, Verify forgets its part, its stage and all later stages, so
// that they are done again. It returns the damage that Create found and the first damaged stage that it finds itself.
func (d *Dir) Verify(ctx context.Context) ([]Damage, error) {
	damage := d.damage
	d.damage = nil
	if len(damage) > 0 {
		if err := d.saveState(); err != nil {
			return damage, err
		}
	}
	for _, s := range d.state.Stages {
		for _, o := range s.left() {
			err := d.verify(ctx, o)
			switch {
			case ctx.Err() != nil:
				return damage, ctx.Err()
			case err != nil:
				return append(damage, Damage{s.Name, err}), errors.Join(d.ForgetPart(d.Path(o.Name)), d.Forget(s.Name))
			}
		}
	}
	for _, p := range slices.Clone(d.parts) {
		for _, o := range p.Files {
			if d.Done(p.Stage) || strings.HasPrefix(o.Name, workName+"/") { // verified by its readers
				continue
			}
			err := d.verify(ctx, o)
			if ctx.Err() != nil {
				return damage, ctx.Err()
			}
			if err != nil {
				damage = append(damage, Damage{p.Stage, err})
				err = d.ForgetPart(d.Path(o.Name))
			}
			if err != nil {
				return damage, err
			}
		}
	}
	return damage, nil
}

// verify compares a file with its record.
func (d *place) verify(ctx context.Context, o output) error {
	err := o.compare(ctx, d.Path(o.Name))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%s: %w: %w", d.Path(o.Name), ErrDamaged, err)
	}
	return nil
}

// compare returns how a file differs from its description.
func (o output) compare(ctx context.Context, path string) error {
	have, err := DigestFile(ctx, path)
	switch {
	case err != nil:
		return err
	case have.Bytes != o.Bytes:
		return fmt.Errorf("%d bytes, not %d", have.Bytes, o.Bytes)
	case have.Digest != o.Digest:
		return fmt.Errorf("digest %s, not %s", have.Digest, o.Digest)
	}
	return nil
}

// Writer returns the stage that wrote the file at path, if the stage is finished or has recorded the file in a part,
// and otherwise "".
func (d *partLog) Writer(path string) (stage string) {
	d.parting.Lock()
	defer d.parting.Unlock()
	has := func(files []output) bool {
		return slices.ContainsFunc(files, func(o output) bool { return d.Path(o.Name) == path })
	}
	for _, p := range d.parts {
		if has(p.Files) {
			stage = p.Stage
		}
	}
	for _, s := range d.state.Stages {
		if has(s.Outputs) {
			stage = s.Name
		}
	}
	return stage
}

// Forget marks a stage and all later stages as not done. It keeps the recorded parts of the stage, and forgets those of the
// later stages.
func (d *Dir) Forget(name string) error {
	d.parting.Lock()
	defer d.parting.Unlock()
	if i := slices.IndexFunc(d.state.Stages, func(s stage) bool { return s.Name == name }); i >= 0 {
		d.state.Stages = d.state.Stages[:i]
		if err := d.saveState(); err != nil {
			return err
		}
	}
	return d.keepParts(func(p part) bool { return p.Stage == name || d.Done(p.Stage) })
}
