import { openJournal } from '../store/journal.ts'
import { createTechnicalSystemStore } from '../store/technical-system-store.ts'
import { immediateChange } from './immediate-change.ts'

/** Acts as another edge process: opens the journal in a folder, saves a system if one is given, and keeps it open. */
const [folder = '', system] = process.argv.slice(2)
try {
  const store = createTechnicalSystemStore(openJournal(folder))
  if (system) store.save(immediateChange, JSON.parse(system))
  process.send?.('open')
} catch (error) {
  process.send?.((error as Error).message)
}
process.on('message', () => {})
