package latex
