import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Router } from 'wouter'
import { aRow, NOW } from '../testing/examples.ts'
import { DatapointTable } from './datapoint-list.tsx'
import { describeRow } from './describe-row.ts'

test('a row has few elements, none of which Mantine draws: a controller may have hundreds', () => {
  const row = describeRow(aRow(), {
    when: { timeZone: 'UTC', now: NOW },
    controllerNow: NOW,
    status: 1,
    oldAfter: 15_000,
    isLost: false,
    isServiceLost: false,
    isKnown: true,
    canManage: true,
  })
  const nothing = () => undefined
  const page = renderToStaticMarkup(
    <MantineProvider>
      <Router ssrPath="/">
        <DatapointTable
          label="Inverter"
          rows={[row]}
          chartPath="/charts/"
          chart={undefined}
          onOverride={nothing}
          onRelease={nothing}
          onCloseHold={nothing}
        />
      </Router>
    </MantineProvider>,
  )
  const line = page.slice(page.indexOf('<tr', page.indexOf('<tbody')), page.indexOf('</tbody>'))
  expect(line).toContain('>Override…</button>')
  expect(line).toContain('>Chart</a>')
  expect(line).not.toContain('mantine-Button')
  expect(line.match(/<\w/g)?.length).toBeLessThanOrEqual(13)
})
