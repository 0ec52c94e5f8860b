package mathlean

const counted = "declaration"
