import { Anchor, type AnchorProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link as Route } from 'wouter'

/** A link to another page of the console. */
export function Link({ to, children, ...rest }: AnchorProps & { to: string; children: ReactNode }) {
  return (
    <Anchor component={Route} href={to} {...rest}>
      {children}
    </Anchor>
  )
}
