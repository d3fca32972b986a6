package moved

// Default is the model fitted to the Hugo documentation.
var Default = Model{-11.84, -1.32, 3.69, -1.98, 4.03, 2.91, 4.37, 4.92, 4.64, 2.10, 4.20, 7.33, 6.37, -4.37}
