module github.com/seed-d3156d19/quarry

go 1.26
