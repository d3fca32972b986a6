package ask

import (
	"context"
	"strings"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// BranchAnswer lists the nodes of the tree of topics that are right below another one, or at the top.
type BranchAnswer struct {
	Path  []TreeNode `json:"path" doc:"nodes from the top down to the one that was asked about; none if the nodes at the top were asked for"`
	Items []TreeNode `json:"items" doc:"largest first; topics of a single document are left out at the top"`
	Portion
}

// Branch asks for the nodes right below a node of the tree, or for those at the top.
type Branch struct {
	ID     string `most:"20" pattern:"^[0-9a-f]{16}(\\.[0-9]{1,3})?$" doc:"id of the node whose children are listed; the nodes at the top are listed if it is missing"`
	Window `limit:"100"`
}

// Ask answers the question.
func (o Branch) Ask(_ context.Context, r *Run) (out *BranchAnswer, err error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	var below []TreeNode
	out = &BranchAnswer{Path: []TreeNode{}}
	if o.ID == "" {
		below = topics.Tops(r)
	} else if out.Path, err = topics.Branch(r, o.ID); err != nil {
		return nil, err
	} else {
		below = topics.Children(r, out.Path[len(out.Path)-1])
	}
	out.Items = Cut(&out.Portion, below, o.Window)
	for _, nodes := range [][]TreeNode{out.Path, out.Items} {
		for i, n := range nodes {
			nodes[i].Children, nodes[i].Ref = len(topics.Children(r, n)), runs.RefOf(r, n.Center)
		}
	}
	return out, r.Err()
}

// TopicMembers returns the documents of the node of the tree with an id, leaf by leaf, those of a leaf that most hosts link
// to first.
func TopicMembers(r *Run, id string, w Window) (*ClusterAnswer, error) {
	path, err := topics.Branch(r, id)
	if err != nil {
		return nil, err
	}
	n := path[len(path)-1]
	out := &ClusterAnswer{
		Cluster: Cluster{ID: n.ID, View: config.Topical, Size: n.Size, Ref: runs.RefOf(r, n.Center), Label: n.Label},
		Items:   []Member{},
	}
	out.Path, out.Labels = pathOf(path)
	for _, id := range topics.Documents(r, n, w.From, w.Rows()) {
		out.Items = append(out.Items, member(r, id, 0))
	}
	out.GoOn(w.From+len(out.Items), n.Size)
	return out, r.Err()
}

// pathOf returns the ids and the labels of some nodes.
func pathOf(nodes []TreeNode) (ids, labels string) {
	var id, label []string
	for _, n := range nodes {
		id, label = append(id, n.ID), append(label, n.Label)
	}
	return strings.Join(id, " "), strings.Join(label, " > ")
}
