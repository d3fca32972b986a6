package plan

// costs are the coefficients of all stages, in their order. make calibrate has fitted them to 14 runs.
var costs = []stageCosts{
	{
		stage:  "read",
		cpu:    Terms{{Bytes, 9.42e-09}, {Links, 2.93e-06}, {Occurrences, 2.3e-07}},
		disk:   Terms{{Fixed, 1.71e+06}, {Bytes, 0.323}, {Links, 163}, {Occurrences, 12.2}},
		memory: Memory{3.85e+07, 0.4, 0, Terms{{Links, 86.6}, {Occurrences, 16.9}}},
	},
	{
		stage:  "redirect",
		cpu:    Terms{{Links, 1.26e-08}},
		disk:   Terms{{Fixed, 1.74e+06}, {Bytes, 0.32}, {Links, 163}, {Occurrences, 12.2}},
		memory: Memory{7.41e+06, 0.05, 0, Terms{{Links, 144}}},
	},
	{
		stage:  "group",
		cpu:    Terms{{Occurrences, 1.55e-07}, {Documents, 3.12e-06}},
		disk:   Terms{{Fixed, 7.8e+05}, {Bytes, 0.411}, {Links, 272}, {Occurrences, 23.7}, {Documents, 160}},
		memory: Memory{2.21e+07, 0.2, 0, Terms{{Documents, 256}, {Occurrences, 22.4}}},
	},
	{
		stage:  "weigh",
		cpu:    Terms{{Occurrences, 2.07e-07}},
		disk:   Terms{{Fixed, 5.65e+05}, {Bytes, 0.596}, {Occurrences, 26.2}, {Documents, 19.7}, {Nodes, 463}, {Postings, 0.889}},
		memory: Memory{1.22e+07, 0.1, 0, Terms{{Occurrences, 15.1}}},
	},
	{
		stage:  "sign",
		cpu:    Terms{{Nodes, 2.18e-06}, {Postings, 2.46e-08}},
		disk:   Terms{{Fixed, 1.09e+06}, {Bytes, 0.586}, {Occurrences, 9.46}, {Documents, 335}, {Nodes, 315}, {Postings, 23.2}},
		memory: Memory{1.48e+07, 0.1, 0, Terms{{Nodes, 100}}},
	},
	{
		stage:  "invert",
		cpu:    Terms{{Nodes, 7.93e-07}, {Postings, 4.29e-08}},
		disk:   Terms{{Fixed, 9.41e+05}, {Bytes, 0.585}, {Occurrences, 17.6}, {Documents, 195}, {Nodes, 508}, {Postings, 14.7}},
		memory: Memory{7.74e+06, 0.1, 0, Terms{{Postings, 47.2}, {Nodes, 140}}},
	},
	{
		stage:  "pair",
		cpu:    Terms{{Collisions, 3.22e-07}, {Spread, 1.64e-07}},
		disk:   Terms{{Bytes, 0.34}, {Links, 360}, {Occurrences, 59}, {TopicalPairs, 6.85}, {Survivors, 16.2}},
		memory: Memory{7.21e+07, 0.9, 0, Terms{{Nodes, 84.1}, {Survivors, 6.78}, {TopicalPairs, 101}}},
	},
	{
		stage:  "cluster",
		cpu:    Terms{{Nodes, 3.72e-06}, {TopicalPairs, 2.78e-07}},
		disk:   Terms{{Fixed, 1.41e+06}, {Bytes, 0.514}, {Occurrences, 17.5}, {Documents, 99.7}, {Nodes, 631}, {Postings, 15.5}, {TopicalPairs, 17}},
		memory: Memory{7.61e+07, 0.5, 0, Terms{{Nodes, 367}, {TopicalPairs, 138}}},
	},
	{
		stage:  "tree",
		cpu:    Terms{{TopicalPairs, 1.06e-06}},
		disk:   Terms{{Fixed, 1.29e+06}, {Bytes, 0.527}, {Occurrences, 18.1}, {Documents, 234}, {Nodes, 525}, {Postings, 14.4}, {TopicalPairs, 16.8}},
		memory: Memory{8.03e+07, 0.8, 0, Terms{{TopicalPairs, 115}}},
	},
	{
		stage:  "shingle",
		cpu:    Terms{{Shingles, 1.24e-08}, {Pages, 2.73e-05}},
		disk:   Terms{{Fixed, 3.4e+05}, {Bytes, 1.25}, {Occurrences, 5.95}, {Documents, 430}, {Shingles, 0.492}, {Nodes, 266}, {Postings, 31.8}, {TopicalPairs, 17.3}},
		memory: Memory{4.52e+07, 1, 0, Terms{{Shingles, 7.2}}},
	},
	{
		stage:  "index",
		cpu:    Terms{{Shingles, 1.26e-07}},
		disk:   Terms{{Bytes, 1.22}, {Links, 5.08}, {Occurrences, 1.55}, {Documents, 433}, {Shingles, 4.58}, {Nodes, 249}, {Postings, 38.7}, {TopicalPairs, 16.7}, {SyntacticPairs, 1.18e+04}},
		memory: Memory{4.83e+07, 1, 0, Terms{{Shingles, 23.4}}},
	},
	{
		stage:  "equal",
		cpu:    Terms{{Fixed, 0.179}, {Shingles, 4.01e-09}, {Pages, 9.93e-06}},
		disk:   Terms{{Fixed, 3.13e+05}, {Bytes, 1.29}, {Occurrences, 4.73}, {Documents, 436}, {Shingles, 3.8}, {Nodes, 255}, {Postings, 33.7}, {TopicalPairs, 17.1}, {SyntacticPairs, 1.95e+03}},
		memory: Memory{5.1e+07, 1, 0.122, Terms{{Pages, 8.44e+03}}},
	},
	{
		stage:  "resemble",
		cpu:    Terms{{Fixed, 0.0496}, {Samples, 4.37e-07}},
		disk:   Terms{{Fixed, 3.19e+05}, {Bytes, 1.3}, {Occurrences, 4.78}, {Documents, 436}, {Shingles, 3.74}, {Nodes, 255}, {Postings, 33.6}, {TopicalPairs, 17.1}, {SyntacticPairs, 2.57e+03}},
		memory: Memory{3.93e+07, 0.3, 0.127, Terms{{Pages, 1.36e+04}}},
	},
	{
		stage:  "union",
		cpu:    Terms{{Pages, 4.94e-06}},
		disk:   Terms{{Fixed, 3.14e+05}, {Bytes, 1.3}, {Occurrences, 4.71}, {Documents, 437}, {Shingles, 3.79}, {Nodes, 255}, {Postings, 33.7}, {TopicalPairs, 17.1}, {SyntacticPairs, 2.1e+03}},
		memory: Memory{3.57e+07, 0.05, 0.161, Terms{}},
	},
	{
		stage:  "publish",
		cpu:    Terms{{Documents, 3.01e-06}, {TopicalPairs, 6.38e-07}},
		disk:   Terms{{Bytes, 1.47}, {Documents, 461}, {Shingles, 2.65}, {Nodes, 317}, {Postings, 41.4}, {TopicalPairs, 28.2}},
		memory: Memory{1.17e+08, 0.1, 0.0539, Terms{{Documents, 808}}},
	},
}

// aboveMean is the quotient of the peak of a run and the largest of the means of its stages.
const aboveMean = 1.1
