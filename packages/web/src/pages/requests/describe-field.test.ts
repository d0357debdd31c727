import { expect, test } from 'vitest'
import { valueText } from './describe-field.ts'

test.each([
  ['state', 'in_progress', 'In progress'],
  ['priority', '3', 'Urgent'],
  ['scope', 'common_area', 'Common area'],
  ['tone', 'angry', 'Angry'],
  ['safetyHazard', 'false', 'No'],
  ['language', 'et', 'Estonian (et)'],
  ['scope', 'campus', 'campus'],
  ['unit', 'toString', 'toString'],
] as const)('%s %s is shown as %s', (field, value, text) => expect(valueText(field, value)).toBe(text))
