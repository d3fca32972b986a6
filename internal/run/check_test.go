package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckGood(t *testing.T) {
	called := false
	report, err := Check(t.Context(), finished(t), Checker{"centers", func(context.Context, *Run) error {
		called = true
		return nil
	}})
	if err != nil || !report.OK() || !called || len(report.Items) != 5 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestCheckFinds damages a finished run in many ways. Check names the file each time.
func TestCheckFinds(t *testing.T) {
	replace := func(old, with string) func(path string) error {
		return func(path string) error {
			b, err := os.ReadFile(filepath.Join(path, ManifestName))
			if err != nil {
				return err
			}
			if !strings.Contains(string(b), old) {
				return errors.New("no " + old + " in the manifest")
			}
			return os.WriteFile(filepath.Join(path, ManifestName), []byte(strings.Replace(string(b), old, with, 1)), 0o666)
		}
	}
	// forge corrects the digest too.
	forge := func(old, with string) func(path string) error {
		return func(path string) error { return errors.Join(replace(old, with)(path), reseal(path)) }
	}
	// unsealed removes the digest.
	unsealed := func(old, with string) func(path string) error {
		return func(path string) error {
			m, err := Open(path)
			if err != nil {
				return err
			}
			return errors.Join(replace(",\n  \"digest\": \""+m.Manifest.Digest+"\"\n}", "\n}")(path), replace(old, with)(path))
		}
	}
	flip := func(name string, at int) func(path string) error {
		return func(path string) error {
			b, err := os.ReadFile(filepath.Join(path, name))
			if err != nil {
				return err
			}
			b[at] ^= 1
			return os.WriteFile(filepath.Join(path, name), b, 0o666)
		}
	}
	for name, c := range map[string]struct {
		damage func(path string) error
		want   string
	}{
		"rows":        {forge(`"rows": 100`, `"rows": 101`), "pages.parquet: 100 rows, not 101"},
		"config":      {forge(`"web"`, `"wob"`), "configuration has digest"},
		"table name":  {forge(`"name": "ids.lsh"`, `"name": "idz.lsh"`), "idz.lsh"},
		"twice":       {forge(`"name": "ids.lsh"`, `"name": "pages.parquet"`), "listed twice"},
		"outside":     {forge(`"name": "ids.lsh"`, `"name": "../ids.lsh"`), "points outside"},
		"kind":        {forge(`"kind": "mapped"`, `"kind": "other"`), "kind mapped, not other"},
		"edited":      {replace(`"seed": 1`, `"seed": 2`), "run.json: the manifest was changed after the run was finished"},
		"white space": {replace("\n}\n", "\n}\n\n"), "does not end with its digest"},
		"flipped":     {flip("ids.lsh", 25), "ids.lsh: digest"},
		"parquet":     {flip(PagesTable, 100), "pages.parquet: digest"},
		"table gone":  {func(p string) error { return os.Remove(filepath.Join(p, PagesTable)) }, "no such file"},
		"table cut":   {func(p string) error { return os.Truncate(filepath.Join(p, PagesTable), 50) }, "pages.parquet"},
		"stray":       {func(p string) error { return os.WriteFile(filepath.Join(p, "x.txt"), nil, 0o666) }, "x.txt"},
		"work":        {func(p string) error { return os.MkdirAll(filepath.Join(p, "work", "mine"), 0o777) }, "work/"},
		"bad json":    {replace(`"tool"`, `tool`), "run.json"},
		"new format":  {forge(`"format": 19`, `"format": 20`), "version 20, this program reads 19"},
		"old format":  {unsealed(`"format": 19`, `"format": 9`), "version 9, this program reads 19; ask the version of lshclust that built it (test), or build the run again"},
		"no manifest": {func(p string) error { return os.Remove(filepath.Join(p, ManifestName)) }, "not a run directory"},
	} {
		path := finished(t)
		if err := c.damage(path); err != nil {
			t.Fatal(name, err)
		}
		report, err := Check(t.Context(), path)
		if err = errors.Join(err, report.Err()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q is not in: %v", name, c.want, err)
		}
	}
}

// TestCheckMapped checks that Check finds a wrong CRC inside a mapped table even if the digest in the manifest was
// corrected.
func TestCheckMapped(t *testing.T) {
	path := finished(t)
	name := filepath.Join(path, "ids.lsh")
	b, err := os.ReadFile(name)
	must(t, err)
	b[24] ^= 1
	must(t, os.WriteFile(name, b, 0o666))
	r, err := Open(path)
	must(t, err)
	now, err := DigestFile(t.Context(), name)
	must(t, err)
	for i := range r.Manifest.Tables {
		if r.Manifest.Tables[i].Name == "ids.lsh" {
			r.Manifest.Tables[i].Digest = now.Digest
		}
	}
	forged, err := sealed(r.Manifest, &r.Manifest.Digest)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(path, ManifestName), forged, 0o666))
	if report, err := Check(t.Context(), path); err != nil || report.OK() || !strings.Contains(report.Err().Error(), "checksum") {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestManifestMutations checks that Check returns whatever run.json holds.
func TestManifestMutations(t *testing.T) {
	path := finished(t)
	name := filepath.Join(path, ManifestName)
	good, err := os.ReadFile(name)
	must(t, err)
	for i := 0; i < len(good); i += 23 {
		for _, c := range []byte{'"', '9', '-', '{', 0xff} {
			b := append([]byte(nil), good...)
			b[i] = c
			must(t, os.WriteFile(name, b, 0o666))
			_, _ = Check(t.Context(), path)
		}
	}
}
