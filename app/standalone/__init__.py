"""The name that `regard.app.export` had up to version 0.5; code written for its `page` still works."""
