#!/usr/bin/env node
import { cacheCodeAtExit, launch } from './launch.js'

cacheCodeAtExit(launch('omen.js'))
