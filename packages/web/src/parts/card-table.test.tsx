import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CardTable } from './card-table.tsx'

test('the rows of a table are plain elements: hundreds are drawn at once', () => {
  const page = renderToStaticMarkup(
    <MantineProvider>
      <CardTable
        label="Sites"
        rows={['Depot', 'Old Mill']}
        keyOf={(name) => name}
        columns={[
          { head: 'Site', cell: (name) => name, name: true },
          { head: 'Held', cell: () => 3 },
          { head: 'Power', cell: () => null },
        ]}
      />
    </MantineProvider>,
  )
  const body = page.slice(page.indexOf('<tbody'), page.indexOf('</tbody>'))
  expect(body).toContain(
    '<tr><th scope="row" data-name="true">Depot</th><td data-label="Held">3</td><td data-label="Power" data-empty="true"></td></tr>',
  )
})
