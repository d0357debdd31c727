import { Button } from '@mantine/core'
import { Link as Route } from 'wouter'
import classes from './tab-links.module.css'

/** Links to the views of a page, of which one is open. */
export function TabLinks({
  label,
  tabs,
}: {
  label: string
  tabs: readonly { name: string; to: string; isCurrent: boolean }[]
}) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ name, to, isCurrent }) => (
        <Button
          key={to}
          component={Route}
          href={to}
          size="compact-sm"
          variant={isCurrent ? 'filled' : 'default'}
          aria-current={isCurrent ? 'page' : undefined}
          className={classes.tab}
        >
          {name}
        </Button>
      ))}
    </nav>
  )
}
