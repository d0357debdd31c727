import { openJournal } from '../store/journal.ts'
import { createTechnicalSystemStore } from '../store/technical-system-store.ts'
import { atOnce } from './at-once.ts'

/** Another edge process: opens the journal of the folder named, saves a system if one is given, and keeps it open. */
const [folder = '', system] = process.argv.slice(2)
try {
  const store = createTechnicalSystemStore(openJournal(folder))
  if (system) store.save(atOnce, JSON.parse(system))
  process.send?.('open')
} catch (error) {
  process.send?.((error as Error).message)
}
process.on('message', () => {})
