package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// The user of the command in the image, who owns nothing there.
const nobody = "65532:65532"

// descriptor, as in the image specification of the Open Container Initiative.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// archive is an OCI layout in a tar file.
type archive struct {
	out bytes.Buffer
	tar *tar.Writer
	at  time.Time // of all files
}

// writeImage writes an archive with an image for the platform of each binary. An image has the binary and the folders
// /runs and /tmp, and nothing else: the command opens no connection to other machines, and so needs no certificates.
func writeImage(path string, binaries []string) error {
	a := &archive{}
	a.tar = tar.NewWriter(&a.out)
	var images []descriptor
	var version string
	for _, b := range binaries {
		d, v, err := a.image(b)
		if err != nil {
			return fmt.Errorf("%s: %w", b, err)
		}
		images, version = append(images, d), v
	}
	index, err := a.json(typeIndex, map[string]any{"schemaVersion": 2, "mediaType": typeIndex, "manifests": images})
	if err != nil {
		return err
	}
	index.Annotations = map[string]string{"org.opencontainers.image.ref.name": strings.TrimPrefix(version, "v")}
	top, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": typeIndex, "manifests": []descriptor{index}})
	if err != nil {
		return err
	}
	if err := a.file(a.tar, "index.json", 0o644, top); err != nil {
		return err
	}
	if err := a.file(a.tar, "oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)); err != nil {
		return err
	}
	if err := a.tar.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, a.out.Bytes(), 0o666)
}

// image adds the image of a binary and returns its version.
func (a *archive) image(binary string) (d descriptor, version string, err error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return d, "", err
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	if a.at, err = time.Parse(time.RFC3339, set["vcs.time"]); err != nil {
		return d, "", err
	}
	contents, err := os.ReadFile(binary)
	if err != nil {
		return d, "", err
	}
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	for _, folder := range []tar.Header{{Name: "usr/", Mode: 0o755}, {Name: "usr/bin/", Mode: 0o755}, {Name: "runs/", Mode: 0o755}, {Name: "tmp/", Mode: 0o1777}} {
		folder.Typeflag, folder.ModTime = tar.TypeDir, a.at
		if err := w.WriteHeader(&folder); err != nil {
			return d, "", err
		}
	}
	if err := a.file(w, "usr/bin/lshclust", 0o755, contents); err != nil {
		return d, "", err
	}
	if err := w.Close(); err != nil {
		return d, "", err
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if _, err := z.Write(layer.Bytes()); err != nil {
		return d, "", err
	}
	if err := z.Close(); err != nil {
		return d, "", err
	}
	blob, err := a.blob(typeLayer, packed.Bytes())
	if err != nil {
		return d, "", err
	}
	labels := map[string]string{
		"org.opencontainers.image.title": "lshclust", "org.opencontainers.image.licenses": "Apache-2.0",
		"org.opencontainers.image.version": info.Main.Version, "org.opencontainers.image.revision": set["vcs.revision"],
		"org.opencontainers.image.source": "https://" + info.Main.Path,
	}
	p := &platform{set["GOARCH"], set["GOOS"]}
	config, err := a.json(typeConfig, map[string]any{
		"created": a.at, "architecture": p.Architecture, "os": p.OS,
		"config": map[string]any{
			"User": nobody, "Entrypoint": []string{"/usr/bin/lshclust"}, "Cmd": []string{"--help"}, "WorkingDir": "/runs",
			"Env": []string{"PATH=/usr/bin"}, "ExposedPorts": map[string]any{"8080/tcp": struct{}{}}, "Labels": labels,
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{digest(layer.Bytes())}},
		"history": []any{map[string]any{"created": a.at, "created_by": "lshclust release"}},
	})
	if err != nil {
		return d, "", err
	}
	d, err = a.json(typeManifest, map[string]any{
		"schemaVersion": 2, "mediaType": typeManifest, "config": config, "layers": []descriptor{blob}, "annotations": labels,
	})
	d.Platform = p
	return d, info.Main.Version, err
}

func (a *archive) json(mediaType string, v any) (descriptor, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return descriptor{}, err
	}
	return a.blob(mediaType, b)
}

func (a *archive) blob(mediaType string, b []byte) (descriptor, error) {
	d := descriptor{MediaType: mediaType, Digest: digest(b), Size: len(b)}
	return d, a.file(a.tar, "blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:"), 0o644, b)
}

func (a *archive) file(w *tar.Writer, name string, mode int64, b []byte) error {
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(b)), ModTime: a.at}); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

func digest(b []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(b)) }
