"""What `clir doctor` looks at."""
