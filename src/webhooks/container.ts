import { existsSync } from 'node:fs'
import { once } from '../kernel/once.ts'

/** Docker, Podman and Kubernetes each leave one of these. */
const MARKS = ['/.dockerenv', '/run/.containerenv', '/var/run/secrets/kubernetes.io']

/** Whether this process runs in a container, where localhost is the container itself. */
export const isInContainer = once((): boolean => MARKS.some((path) => existsSync(path)))
