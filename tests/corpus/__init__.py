"""Small runs made from readable recipes, each with the reading that a person wrote down for it."""
