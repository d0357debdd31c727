import { expect, test } from 'vitest'
import { addColumn } from './add-column.ts'

test('fields with the same name have columns of their own', () => {
  const values = new Map([['Subject', 'Tap leaks']])
  for (const text of ['y', 'z']) addColumn(values, 'Subject', text)
  addColumn(values, 'Floor', '2')
  expect([...values]).toEqual([
    ['Subject', 'Tap leaks'],
    ['Subject (2)', 'y'],
    ['Subject (3)', 'z'],
    ['Floor', '2'],
  ])
})
