package plan

// costs are the coefficients of all stages, in their order. make calibrate has fitted them to 19 runs.
var costs = []stageCosts{
	{
		stage:  "read",
		cpu:    Terms{{Bytes, 3.18e-09}, {Links, 2.7e-06}, {Occurrences, 2.09e-07}},
		disk:   Terms{{Fixed, 3.86e+06}, {Bytes, 0.137}, {Links, 201}, {Occurrences, 15.8}},
		memory: Memory{2.55e+07, 0.2, 0, Terms{{Links, 22.8}, {Bytes, 0.629}, {Occurrences, 30.9}}},
	},
	{
		stage:  "redirect",
		cpu:    Terms{{Links, 5.53e-09}},
		disk:   Terms{{Fixed, 4e+06}, {Bytes, 0.13}, {Links, 200}, {Occurrences, 15.4}},
		memory: Memory{7.65e+06, 0.05, 0, Terms{}},
	},
	{
		stage:  "group",
		cpu:    Terms{{Occurrences, 1.24e-07}, {Documents, 2.32e-06}},
		disk:   Terms{{Fixed, 4.23e+06}, {Bytes, 0.111}, {Links, 593}, {Occurrences, 28.2}},
		memory: Memory{2.41e+07, 0.1, 0, Terms{{Occurrences, 85.6}}},
	},
	{
		stage:  "weigh",
		cpu:    Terms{{Occurrences, 1.54e-07}},
		disk:   Terms{{Fixed, 3.75e+06}, {Links, 364}, {Occurrences, 32}, {Shingles, 5.71}, {Nodes, 181}},
		memory: Memory{1.48e+07, 1, 0, Terms{{Occurrences, 1.19}}},
	},
	{
		stage:  "sign",
		cpu:    Terms{{Nodes, 2.05e-06}, {Postings, 4.89e-09}},
		disk:   Terms{{Fixed, 3.26e+06}, {Links, 420}, {Occurrences, 28.1}, {Shingles, 6.34}, {Nodes, 532}},
		memory: Memory{8.99e+06, 0.05, 0, Terms{{Nodes, 65.5}}},
	},
	{
		stage:  "invert",
		cpu:    Terms{{Nodes, 2.93e-07}, {Postings, 5.08e-08}},
		disk:   Terms{{Fixed, 3.3e+06}, {Links, 423}, {Occurrences, 29.2}, {Shingles, 6.06}, {Nodes, 514}},
		memory: Memory{6.29e+06, 0.1, 0, Terms{{Postings, 68.2}}},
	},
	{
		stage:  "pair",
		cpu:    Terms{{Nodes, 1.82e-06}, {Collisions, 1.28e-07}, {Spread, 1.13e-07}},
		disk:   Terms{{Fixed, 2.2e+06}, {Links, 388}, {Occurrences, 31}, {Shingles, 7.51}, {Nodes, 323}, {TopicalPairs, 29.4}, {Survivors, 16.1}},
		memory: Memory{1.78e+07, 0.3, 0, Terms{{Nodes, 476}, {Survivors, 34.2}, {TopicalPairs, 91}}},
	},
	{
		stage:  "cluster",
		cpu:    Terms{{Nodes, 3.09e-06}, {TopicalPairs, 1.43e-07}},
		disk:   Terms{{Fixed, 1.98e+06}, {Links, 327}, {Occurrences, 27.3}, {Shingles, 9.23}, {Nodes, 417}, {TopicalPairs, 48.1}},
		memory: Memory{1.63e+07, 0.1, 0, Terms{{Nodes, 176}, {TopicalPairs, 13.4}}},
	},
	{
		stage:  "tree",
		cpu:    Terms{{TopicalPairs, 4.27e-07}},
		disk:   Terms{{Fixed, 1.9e+06}, {Links, 351}, {Occurrences, 26.3}, {Shingles, 9.35}, {Nodes, 468}, {TopicalPairs, 22.2}},
		memory: Memory{1.2e+07, 1, 0, Terms{{Nodes, 121}, {TopicalPairs, 36.2}}},
	},
	{
		stage:  "shingle",
		cpu:    Terms{{Shingles, 2.2e-08}, {Pages, 4.85e-06}},
		disk:   Terms{{Fixed, 3.27e+06}, {Links, 394}, {Occurrences, 31.5}, {Shingles, 7.98}, {Nodes, 401}, {TopicalPairs, 17.9}, {SyntacticPairs, 5.95e+04}},
		memory: Memory{1.47e+07, 0.05, 0, Terms{{Shingles, 3.94}}},
	},
	{
		stage:  "index",
		cpu:    Terms{{Shingles, 3.96e-08}},
		disk:   Terms{{Fixed, 1.6e+06}, {Bytes, 0.394}, {Links, 379}, {Occurrences, 31.5}, {Shingles, 9.83}, {Nodes, 409}, {TopicalPairs, 18.2}, {SyntacticPairs, 6.36e+04}},
		memory: Memory{2.78e+07, 0.2, 0, Terms{{Shingles, 13.9}}},
	},
	{
		stage:  "equal",
		cpu:    Terms{{Fixed, 0.144}, {Pages, 6.44e-06}},
		disk:   Terms{{Fixed, 2.78e+06}, {Bytes, 0.159}, {Links, 377}, {Occurrences, 31.9}, {Shingles, 10.9}, {Nodes, 400}, {TopicalPairs, 17.8}, {SyntacticPairs, 6.09e+04}},
		memory: Memory{2.9e+07, 0.15, 0.156, Terms{}},
	},
	{
		stage:  "resemble",
		cpu:    Terms{{Fixed, 0.00501}, {Samples, 2.45e-07}},
		disk:   Terms{{Fixed, 2.78e+06}, {Bytes, 0.16}, {Links, 377}, {Occurrences, 31.9}, {Shingles, 10.9}, {Nodes, 400}, {TopicalPairs, 17.8}, {SyntacticPairs, 6.09e+04}},
		memory: Memory{1.18e+07, 1, 0, Terms{{Samples, 4.42}, {Pages, 1.86e+03}}},
	},
	{
		stage:  "union",
		cpu:    Terms{{Pages, 9.8e-07}},
		disk:   Terms{{Fixed, 2.78e+06}, {Bytes, 0.161}, {Links, 377}, {Occurrences, 31.9}, {Shingles, 10.9}, {Nodes, 400}, {TopicalPairs, 17.8}, {SyntacticPairs, 6.11e+04}},
		memory: Memory{1.84e+07, 0.05, 0, Terms{}},
	},
	{
		stage:  "publish",
		cpu:    Terms{{Documents, 2.32e-06}, {TopicalPairs, 4.38e-07}},
		disk:   Terms{{Fixed, 1.24e+06}, {Bytes, 0.874}, {Links, 399}, {Occurrences, 33}, {Shingles, 6.55}, {Nodes, 484}, {TopicalPairs, 28.8}, {SyntacticPairs, 3.33e+04}},
		memory: Memory{3.53e+07, 0.2, 0, Terms{{Documents, 1.91e+03}, {TopicalPairs, 51.8}}},
	},
}

// aboveMean is the quotient of the peak of a run and the largest of the means of its stages.
const aboveMean = 1.09
