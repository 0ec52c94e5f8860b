package chess
