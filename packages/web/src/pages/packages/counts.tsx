import { Paper, SimpleGrid, Text } from '@mantine/core'

/** Figures side by side, each with what it counts. */
export function Counts({ counts }: { counts: readonly (readonly [label: string, count: number | string])[] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: counts.length }} m={0} spacing="sm">
      {counts.map(([label, count]) => (
        <Paper key={label} withBorder p="sm" style={{ display: 'flex', flexDirection: 'column-reverse' }}>
          <Text component="dt" size="sm">
            {label}
          </Text>
          <Text component="dd" m={0} fz={24} fw={600} className="figures">
            {typeof count === 'number' ? count.toLocaleString('en') : count}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
