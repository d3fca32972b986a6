package plan

// costs are the coefficients of all stages, in their order. make calibrate has fitted them to 19 runs, and those of disk
// again to 12 small ones.
var costs = []stageCosts{
	{
		stage:  "read",
		cpu:    Terms{{Bytes, 3.18e-09}, {Links, 2.7e-06}, {Occurrences, 2.09e-07}},
		disk:   Terms{{Fixed, 1.65e+06}, {Bytes, 0.347}, {Links, 172}, {Occurrences, 18}},
		memory: Memory{2.55e+07, 0.2, 0, Terms{{Links, 22.8}, {Bytes, 0.629}, {Occurrences, 30.9}}},
	},
	{
		stage:  "redirect",
		cpu:    Terms{{Links, 5.53e-09}},
		disk:   Terms{{Fixed, 1.66e+06}, {Bytes, 0.347}, {Links, 172}, {Occurrences, 18}},
		memory: Memory{7.65e+06, 0.05, 0, Terms{}},
	},
	{
		stage:  "group",
		cpu:    Terms{{Occurrences, 1.24e-07}, {Documents, 2.32e-06}},
		disk:   Terms{{Fixed, 3.03e+06}, {Bytes, 0.217}, {Links, 517}, {Occurrences, 20}},
		memory: Memory{2.41e+07, 0.1, 0, Terms{{Occurrences, 85.6}}},
	},
	{
		stage:  "weigh",
		cpu:    Terms{{Occurrences, 1.54e-07}},
		disk:   Terms{{Fixed, 3.4e+06}, {Bytes, 0.12}, {Links, 569}, {Occurrences, 14.7}, {Shingles, 3.58}},
		memory: Memory{1.48e+07, 1, 0, Terms{{Occurrences, 1.19}}},
	},
	{
		stage:  "shingle",
		cpu:    Terms{{Shingles, 2.2e-08}, {Pages, 4.85e-06}},
		disk:   Terms{{Fixed, 2.5e+06}, {Bytes, 0.266}, {Links, 289}, {Occurrences, 10.6}, {Shingles, 6.91}, {Nodes, 62.2}},
		memory: Memory{1.47e+07, 0.05, 0, Terms{{Shingles, 3.94}}},
	},
	{
		stage:  "sign",
		cpu:    Terms{{Nodes, 2.05e-06}, {Postings, 4.89e-09}},
		disk:   Terms{{Bytes, 0.175}, {Links, 114}, {Documents, 406}, {Shingles, 6.59}, {Nodes, 205}, {Postings, 7.37}},
		memory: Memory{8.99e+06, 0.05, 0, Terms{{Nodes, 65.5}}},
	},
	{
		stage:  "invert",
		cpu:    Terms{{Nodes, 2.93e-07}, {Postings, 5.08e-08}},
		disk:   Terms{{Fixed, 6.45e+04}, {Bytes, 0.00292}, {Links, 65.8}, {Documents, 636}, {Shingles, 8.66}, {Postings, 8.53}},
		memory: Memory{6.29e+06, 0.1, 0, Terms{{Postings, 68.2}}},
	},
	{
		stage:  "pair",
		cpu:    Terms{{Nodes, 1.82e-06}, {Collisions, 1.28e-07}, {Spread, 1.13e-07}},
		disk:   Terms{{Fixed, 1.78e+06}, {Links, 278}, {Shingles, 5.96}, {Nodes, 271}, {Postings, 5.96}, {TopicalPairs, 48}, {Survivors, 8.02}},
		memory: Memory{1.78e+07, 0.3, 0, Terms{{Nodes, 476}, {Survivors, 34.2}, {TopicalPairs, 91}}},
	},
	{
		stage:  "cluster",
		cpu:    Terms{{Nodes, 3.09e-06}, {TopicalPairs, 1.43e-07}},
		disk:   Terms{{Fixed, 1.91e+05}, {Bytes, 0.385}, {Links, 142}, {Occurrences, 3.39}, {Documents, 205}, {Shingles, 3.16}, {Nodes, 187}, {Postings, 6.9}, {TopicalPairs, 41.6}, {SyntacticPairs, 1.19e+03}},
		memory: Memory{1.63e+07, 0.1, 0, Terms{{Nodes, 176}, {TopicalPairs, 13.4}}},
	},
	{
		stage:  "tree",
		cpu:    Terms{{TopicalPairs, 4.27e-07}},
		disk:   Terms{{Fixed, 2.89e+05}, {Bytes, 0.383}, {Links, 175}, {Occurrences, 3.29}, {Documents, 446}, {Shingles, 2.51}, {Postings, 6.57}, {TopicalPairs, 15}, {SyntacticPairs, 4.8e+03}},
		memory: Memory{1.2e+07, 1, 0, Terms{{Nodes, 121}, {TopicalPairs, 36.2}}},
	},
	{
		stage:  "index",
		cpu:    Terms{{Shingles, 3.96e-08}},
		disk:   Terms{{Fixed, 1.92e+05}, {Bytes, 0.352}, {Links, 62.5}, {Occurrences, 6.71}, {Documents, 197}, {Shingles, 9.61}, {Nodes, 355}, {Postings, 0.841}, {TopicalPairs, 16.3}},
		memory: Memory{2.78e+07, 0.2, 0, Terms{{Shingles, 13.9}}},
	},
	{
		stage:  "equal",
		cpu:    Terms{{Fixed, 0.144}, {Pages, 6.44e-06}},
		disk:   Terms{{Fixed, 2.25e+05}, {Bytes, 0.307}, {Links, 18.4}, {Occurrences, 7.34}, {Documents, 241}, {Shingles, 8.02}, {Nodes, 340}, {Postings, 1.39}, {TopicalPairs, 15.3}},
		memory: Memory{2.9e+07, 0.15, 0.156, Terms{}},
	},
	{
		stage:  "resemble",
		cpu:    Terms{{Fixed, 0.00501}, {Samples, 2.45e-07}},
		disk:   Terms{{Fixed, 2.3e+05}, {Bytes, 0.306}, {Links, 15.9}, {Occurrences, 7.43}, {Documents, 244}, {Shingles, 8.02}, {Nodes, 340}, {Postings, 1.26}, {TopicalPairs, 15.3}},
		memory: Memory{1.18e+07, 1, 0, Terms{{Samples, 4.42}, {Pages, 1.86e+03}}},
	},
	{
		stage:  "union",
		cpu:    Terms{{Pages, 9.8e-07}},
		disk:   Terms{{Fixed, 2.27e+05}, {Bytes, 0.314}, {Links, 31}, {Occurrences, 6.98}, {Documents, 228}, {Shingles, 7.97}, {Nodes, 338}, {Postings, 1.87}, {TopicalPairs, 15.3}},
		memory: Memory{1.84e+07, 0.05, 0, Terms{}},
	},
	{
		stage:  "publish",
		cpu:    Terms{{Documents, 2.32e-06}, {TopicalPairs, 4.38e-07}},
		disk:   Terms{{Bytes, 0.397}, {Occurrences, 7.91}, {Documents, 288}, {Shingles, 7.44}, {Nodes, 443}, {Postings, 0.0522}, {TopicalPairs, 26}},
		memory: Memory{3.53e+07, 0.2, 0, Terms{{Documents, 1.91e+03}, {TopicalPairs, 51.8}}},
	},
}

// aboveMean is the quotient of the peak of a run and the largest of the means of its stages.
const aboveMean = 1.09
