"""What the experiments with people share: consent, pages, texts and the form."""
