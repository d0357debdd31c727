import { lockFolder } from '../folder-lock.ts'

/** Locks the folder given on the command line, reports whether that worked, and keeps the lock. */
const giveBack = lockFolder(process.argv[2] ?? '')
process.send?.(giveBack ? 'taken' : 'refused')
// The open channel keeps the process, and with it the lock, alive.
process.on('message', () => giveBack?.())
