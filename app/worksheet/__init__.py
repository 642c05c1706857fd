"""A worksheet and its answer sheet as files to print; `panel` offers them on a screen."""
