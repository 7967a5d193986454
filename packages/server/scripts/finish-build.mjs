// What the compiler leaves to do: the program can be started, and what it serves of the catalogue lies beside it.
import { chmodSync, copyFileSync } from 'node:fs'

chmodSync('dist/omen-server.js', 0o755)
copyFileSync('../../rules/rule.schema.json', 'dist/rule.schema.json')
