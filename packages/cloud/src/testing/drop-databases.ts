import { afterAll } from 'vitest'
import { dropTestDatabases } from './database.ts'

// The hooks of a file run in reverse: this one after all of its tests have closed what they use.
afterAll(dropTestDatabases)
