package moved

// Default is the model fitted to the Hugo documentation.
var Default = Model{-4, 3, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1}
