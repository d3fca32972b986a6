package plan

// costs are the coefficients of all stages, in their order. make calibrate has fitted them to 19 runs.
var costs = []stageCosts{
	{
		stage:  "read",
		cpu:    Terms{{Bytes, 3.55e-09}, {Links, 3.29e-06}, {Occurrences, 2.51e-07}},
		disk:   Terms{{Fixed, 4.39e+06}, {Bytes, 0.00662}, {Links, 210}, {Shingles, 0.638}, {Occurrences, 15.7}},
		memory: Memory{3.68e+07, 0.2, 0, Terms{{Links, 58.5}, {Bytes, 0.261}, {Occurrences, 20.5}}},
	},
	{
		stage:  "redirect",
		cpu:    Terms{{Links, 1.25e-08}},
		disk:   Terms{{Fixed, 4.39e+06}, {Bytes, 0.00648}, {Links, 210}, {Shingles, 0.639}, {Occurrences, 15.7}},
		memory: Memory{9.49e+06, 0.05, 0, Terms{{Links, 3.43}}},
	},
	{
		stage:  "group",
		cpu:    Terms{{Occurrences, 1.67e-07}, {Documents, 3.64e-06}},
		disk:   Terms{{Fixed, 3.96e+06}, {Bytes, 0.138}, {Links, 531}, {Occurrences, 17.4}},
		memory: Memory{2.01e+07, 0.3, 0, Terms{{Documents, 14.1}, {Occurrences, 9.5}}},
	},
	{
		stage:  "weigh",
		cpu:    Terms{{Occurrences, 2.06e-07}},
		disk:   Terms{{Fixed, 3.29e+06}, {Links, 336}, {Occurrences, 15.3}, {Shingles, 6.24}, {Nodes, 188}},
		memory: Memory{2.07e+07, 0.05, 0, Terms{{Occurrences, 0.545}}},
	},
	{
		stage:  "shingle",
		cpu:    Terms{{Shingles, 2.49e-08}, {Pages, 1.12e-05}},
		disk:   Terms{{Fixed, 1.57e+06}, {Bytes, 0.351}, {Links, 345}, {Occurrences, 12.3}, {Shingles, 3.45}},
		memory: Memory{1.03e+07, 0.05, 0, Terms{{Shingles, 10.6}}},
	},
	{
		stage:  "sign",
		cpu:    Terms{{Nodes, 2.04e-06}, {Postings, 9.28e-09}},
		disk:   Terms{{Bytes, 0.0992}, {Occurrences, 2.53}, {Documents, 147}, {Shingles, 7.71}, {Nodes, 600}, {Postings, 3.31}},
		memory: Memory{1.19e+07, 0.05, 0, Terms{{Nodes, 65.5}}},
	},
	{
		stage:  "invert",
		cpu:    Terms{{Nodes, 3.15e-07}, {Postings, 5.76e-08}},
		disk:   Terms{{Bytes, 0.0247}, {Occurrences, 2.27}, {Documents, 248}, {Shingles, 8.51}, {Nodes, 471}, {Postings, 5.31}},
		memory: Memory{9.21e+06, 0.1, 0, Terms{{Postings, 66.8}}},
	},
	{
		stage:  "pair",
		cpu:    Terms{{Nodes, 1.36e-06}, {Collisions, 1.68e-07}, {Spread, 1.49e-07}},
		disk:   Terms{{Bytes, 0.593}, {Links, 221}, {Occurrences, 5.88}, {Documents, 171}, {Postings, 14.5}, {TopicalPairs, 30.3}, {Survivors, 5.55}},
		memory: Memory{2.14e+07, 0.4, 0, Terms{{Nodes, 363}, {Survivors, 50}, {TopicalPairs, 7.87}}},
	},
	{
		stage:  "cluster",
		cpu:    Terms{{Nodes, 3.85e-06}, {TopicalPairs, 2.47e-07}},
		disk:   Terms{{Bytes, 0.31}, {Occurrences, 6.17}, {Shingles, 4.68}, {Nodes, 558}, {Postings, 2.15}, {TopicalPairs, 42.5}},
		memory: Memory{1.97e+07, 0.1, 0, Terms{{Nodes, 144}, {TopicalPairs, 12.4}}},
	},
	{
		stage:  "tree",
		cpu:    Terms{{TopicalPairs, 4.19e-07}},
		disk:   Terms{{Bytes, 0.304}, {Links, 71.5}, {Occurrences, 3.67}, {Shingles, 4.79}, {Nodes, 542}, {Postings, 4.96}, {TopicalPairs, 16.3}},
		memory: Memory{1.44e+07, 1, 0, Terms{{Nodes, 121}, {TopicalPairs, 40}}},
	},
	{
		stage:  "index",
		cpu:    Terms{{Shingles, 4.34e-08}},
		disk:   Terms{{Bytes, 0.381}, {Links, 211}, {Documents, 62.9}, {Shingles, 7.68}, {Nodes, 267}, {Postings, 11.2}, {TopicalPairs, 16.4}, {SyntacticPairs, 2.31e+03}},
		memory: Memory{1.27e+07, 0.15, 0, Terms{{Shingles, 18.2}}},
	},
	{
		stage:  "equal",
		cpu:    Terms{{Fixed, 0.00555}, {Shingles, 6.99e-09}, {Pages, 3.7e-07}},
		disk:   Terms{{Fixed, 1.39e+04}, {Bytes, 0.432}, {Links, 201}, {Occurrences, 0.56}, {Documents, 33.9}, {Shingles, 7.31}, {Nodes, 284}, {Postings, 10.9}, {TopicalPairs, 16.2}},
		memory: Memory{1.23e+07, 0.15, 0, Terms{{Shingles, 5.64}, {Pages, 2.15e+03}}},
	},
	{
		stage:  "resemble",
		cpu:    Terms{{Fixed, 0.00691}, {Samples, 2.73e-07}},
		disk:   Terms{{Fixed, 1.64e+04}, {Bytes, 0.432}, {Links, 201}, {Occurrences, 0.554}, {Documents, 33.5}, {Shingles, 7.31}, {Nodes, 284}, {Postings, 10.9}, {TopicalPairs, 16.2}},
		memory: Memory{1.17e+07, 0.2, 0, Terms{{Pages, 2.03e+03}}},
	},
	{
		stage:  "union",
		cpu:    Terms{{Pages, 1.05e-06}},
		disk:   Terms{{Fixed, 2.16e+04}, {Bytes, 0.435}, {Links, 203}, {Occurrences, 0.532}, {Documents, 31.4}, {Shingles, 7.29}, {Nodes, 284}, {Postings, 11}, {TopicalPairs, 16.2}},
		memory: Memory{1.21e+07, 0.05, 0, Terms{}},
	},
	{
		stage:  "publish",
		cpu:    Terms{{Documents, 2.75e-06}, {TopicalPairs, 7.07e-07}},
		disk:   Terms{{Bytes, 0.364}, {Links, 167}, {Documents, 114}, {Shingles, 7.69}, {Nodes, 300}, {Postings, 15.4}, {TopicalPairs, 33.9}},
		memory: Memory{1.13e+07, 0.3, 0, Terms{{Documents, 1.08e+03}, {TopicalPairs, 219}}},
	},
}

// aboveMean is the quotient of the peak of a run and the largest of the means of its stages.
const aboveMean = 1
