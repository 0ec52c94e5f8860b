// Package image compares raster pictures: PNG, JPEG, WebP, BMP and TIFF, decoded by their
// content. A file holds a picture's bytes, or its bytes in base64, which is how the
// published harness keeps pictures. The counted element is the picture.
//
// The published score looks at one picture only: 0.5 of the structural similarity (SSIM) of
// red, green and blue, 0.25 of the agreement of the colours' histograms, and 0.25 of the
// nearness of the pixels. It brings the candidate to the reference's size first and drops
// transparency. A uniform grey picture still scores 0.36.
//
// Strict compares what a viewer would: the number of pictures, the size of each and all
// pixels with their transparency, in squares of eight by eight. It is 1 only if all pixels
// are equal. Names, metadata and how a file is compressed carry nothing.
package image
