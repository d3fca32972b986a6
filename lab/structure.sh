#!/usr/bin/env bash
# structure.sh prints the structure of the product in the current folder: lines of Go by room, the ten types with most methods,
# if headers that assign only what their condition does not mention, lines over 140 columns, modules.
set -euo pipefail
files() { git ls-files '*.go' | grep -v '_test\.go$\|^lab/'; }
echo "lines by room"
files | xargs wc -l | awk '$2 != "total" { n = split($2, p, "/"); room = n == 1 ? "." : p[1]
  if (p[1] ~ /^(internal|crawl|serve)$/ && n > 2) room = room "/" p[2]
  if (p[2] == "ask" && n > 3) room = room "/" p[3]
  lines[room] += $1; all += $1 } END { for (r in lines) print lines[r], r; print all, "all" }' | sort -rn
echo "types by methods"
files | xargs awk 'match($0, /^func \([a-z]+ \*?[A-Za-z]+/) { t = substr($0, RSTART, RLENGTH); sub(/.*[ *]/, "", t)
  d = FILENAME; sub(/\/[^\/]*$/, "", d); n[d "." t]++ } END { for (t in n) print n[t], t }' | sort -rn | head -10
echo "if headers: $(files | xargs perl -ne '
  next unless /^\s*(?:\} else )?if (.*); ([^;]*) \{\s*(?:\/\/.*)?$/;
  my ($first, $if) = ($1, $2);
  my $names = $first =~ /^([^(]*?)\s*(?::=|[-+*\/&|^]?=(?!=)|\+\+|--)/ ? $1 : "";
  print "x" unless grep { $if =~ /(?<![\w.])\Q$_\E(?!\w)/ } grep { !/^_?$/ } split /\s*,\s*/, $names' | wc -c)"
echo "lines over 140 columns: $(files | xargs perl -CSD -ne 'chomp; print "x" if length > 140' | wc -c), without tags of fields: $(files | xargs perl -CSD -ne 'chomp; print "x" if length > 140 && !/`.*doc:"/' | wc -c)"
echo "modules: $(grep -c '^	[^ ]* v[^/]*$' go.mod) direct, $(grep -c '// indirect' go.mod) indirect"
