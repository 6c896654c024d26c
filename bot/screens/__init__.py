"""What is shown and pressed: screens, menus, forms and words, the same for every front."""
