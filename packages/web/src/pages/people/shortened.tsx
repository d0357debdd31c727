import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Empty } from '../../parts/notices.tsx'
import { common } from '../../texts/common.ts'
import { people as texts } from '../../texts/people.ts'

const STEP = 50

/** The beginning of a long list, and more of it on demand: thousands of rows would make the page slow. */
export function Shortened<Item>({
  items,
  children,
}: {
  items: readonly Item[]
  children: (shown: readonly Item[]) => ReactNode
}) {
  const [most, setMost] = useState(STEP)
  if (items.length === 0) return <Empty title={texts.nothingFound} />
  return (
    <Stack>
      {children(items.slice(0, most))}
      {items.length > most && (
        <Group justify="center">
          <Text size="sm">{texts.shown(most, items.length)}</Text>
          <Button variant="default" onClick={() => setMost(most + STEP * 4)}>
            {common.more}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
