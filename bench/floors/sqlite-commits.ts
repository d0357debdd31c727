import { answerParent, openJournalFile } from './journal-file.ts'

/** Floor of a durable dispatch: one row, one transaction, one flush, repeated. Arguments: the folder, the row. */
const [folder = '', row = ''] = process.argv.slice(2)
const add = openJournalFile(folder)

answerParent(({ seconds }: { seconds: number }) => {
  const started = performance.now()
  const end = started + seconds * 1000
  let added = 0
  let now = started
  while (now < end) {
    add(row)
    added += 1
    now = performance.now()
  }
  return { perSecond: added / ((now - started) / 1000) }
})
