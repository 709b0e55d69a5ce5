"""What the files of an experiment really hold, looked at before anything is made from them."""
