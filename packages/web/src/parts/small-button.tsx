import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'

/** A button beside others, or in the row of a table. */
export function SmallButton(props: ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps>) {
  return <Button size="xs" variant="default" {...props} />
}
