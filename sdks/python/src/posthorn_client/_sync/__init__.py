# Made from _async/__init__.py by `npm run sdks:generate`. Change that file, not this one.
