"""Pictures as data: kind, fields, which facts they hold and where; and who draws them."""
