import { launch } from './launch.js'

// The main thread loads the same parts, and keeps their code.
launch('worker.js')
