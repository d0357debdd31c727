import { lockFolder } from '../folder-lock.ts'

/** Takes the folder that is named on the command line, says whether it got it, and keeps it. */
const giveBack = lockFolder(process.argv[2] ?? '')
process.send?.(giveBack ? 'taken' : 'refused')
// The open channel keeps the process, and with it the lock.
process.on('message', () => giveBack?.())
