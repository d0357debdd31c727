import { openJournal } from '../store/journal.ts'
import { createTechnicalSystemStore } from '../store/technical-system-store.ts'

/** Another edge process: opens the journal of the folder named, saves a system if one is given, and keeps it open. */
const [folder = '', system] = process.argv.slice(2)
try {
  const store = createTechnicalSystemStore(openJournal(folder))
  if (system) store.save(JSON.parse(system))
  process.send?.('open')
} catch (error) {
  process.send?.((error as Error).message)
}
process.on('message', () => {})
