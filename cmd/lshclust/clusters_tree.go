package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
)

// Defaults of clusters --tree on a terminal.
const (
	treeDepth    = 4
	treeChildren = 5
)

// checkTree refuses flags that do not work with --tree.
func (l *clusterList) checkTree() error {
	switch {
	case !l.tree && l.depth != 0:
		return usage(errors.New("--depth is for --tree"))
	case l.tree && l.View == "syntactic":
		return usage(errors.New("--tree is for topical clusters"))
	case l.tree && l.Sort == topics.SortByHosts:
		return usage(errors.New("--tree sorts by size or label"))
	case l.tree && l.skip > 0 && !l.members:
		return usage(errors.New("--tree has --skip only with --members"))
	}
	return nil
}

// listTree lists the tree of topics.
func (l *clusterList) listTree(ctx context.Context, r *runs.Run) error {
	o := ask.Tree{Label: l.Label, ByLabel: l.Sort == topics.SortByLabel, Reverse: l.Reverse, Limit: l.Limit, Each: l.each, Depth: l.depth}
	if l.format == formatTable && o.Depth == 0 {
		o.Depth = treeDepth
	}
	if l.format == formatTable && o.Each == 0 {
		o.Each = treeChildren
	}
	if o.Contains = l.contains; o.Contains != "" {
		err := askEach(ctx, &l.batch, r, []string{o.Contains}, func([]string) (*ask.TreeAnswer, error) { return o.Ask(ctx, r) }, func(a *ask.TreeAnswer) error {
			return l.writeTree(r, a)
		})
		if err != nil {
			return err
		}
		return l.tell(r)
	}
	tree, err := o.Ask(ctx, r)
	if err != nil {
		return err
	}
	if l.Label != "" && tree.Total == 0 {
		return fmt.Errorf("no node of the tree has %q in its label; lshclust related finds pages by URL", l.Label)
	}
	if l.format == formatTable {
		say("%s without another one above", count(tree.Total, "topic"))
	}
	return l.writeTree(r, tree)
}

func (l *clusterList) writeTree(r *runs.Run, tree *ask.TreeAnswer) error {
	if l.format == formatTable {
		return l.treeTable(printed, r, tree)
	}
	if !l.members {
		put, end := answers(printed, l.output, false, func(io.Writer, *ask.TreeAnswer) {})
		return errors.Join(put(tree), end())
	}
	put, end := answers(printed, l.output, true, l.membersTable)
	for i := range tree.Items {
		if n := &tree.Items[i]; n.Level == 0 {
			c, err := ask.TopicMembers(r, n.ID, l.window())
			if err != nil {
				return err
			}
			if err := put(c); err != nil {
				return err
			}
		}
	}
	return end()
}

// treeTable shows the nodes as an indented tree.
func (l *clusterList) treeTable(w io.Writer, r *runs.Run, tree *ask.TreeAnswer) error {
	fmt.Fprintf(w, "%6s %6s  %s\n", "pages", "topics", "label")
	var open []*topics.TreeNode // the path from the root to the node that is being shown
	leave := func(depth int) {
		for len(open) > depth {
			if n := open[len(open)-1]; n.More > 0 {
				fmt.Fprintf(w, "%13s  %s  and %d more\n", "", strings.Repeat("  ", n.Depth), n.More)
			}
			open = open[:len(open)-1]
		}
	}
	for i := range tree.Items {
		n := &tree.Items[i]
		leave(n.Depth)
		open = append(open, n)
		name, topics, indent := n.Label, fmt.Sprint(n.Topics), strings.Repeat("  ", n.Depth)
		if name == "" {
			name = n.URL
		}
		if n.Above != "" {
			name += "  (in " + n.Above + ")"
		}
		if n.Level == 0 {
			topics = ""
		}
		fmt.Fprintf(w, "%6d %6s  %s%s\n", n.Size, topics, indent, detail(name, 15+len(indent)))
		if !l.members || n.Level > 0 {
			continue
		}
		c, err := ask.TopicMembers(r, n.ID, l.window())
		if err != nil {
			return err
		}
		for _, m := range c.Items {
			fmt.Fprintf(w, "%13s  %s  %s\n", "", indent, detail(m.URL, 17+len(indent)))
		}
		if more := n.Size - l.skip - len(c.Items); more > 0 {
			fmt.Fprintf(w, "%13s  %s  and %d more\n", "", indent, more)
		}
	}
	leave(0)
	return nil
}
