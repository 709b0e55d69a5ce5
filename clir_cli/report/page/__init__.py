"""The report as one HTML file: plain data in, a page without any outside reference out."""
